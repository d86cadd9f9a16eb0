'use strict';
// Keeps the elements that have a data-live attribute up to date by reloading them every two seconds.

(() => {
	const interval = 2000;
	const regions = [...document.querySelectorAll('[data-live]')];
	const control = document.querySelector('.live-control');
	if (regions.length === 0 || !control) return;
	const state = control.querySelector('.live-state');
	const button = control.querySelector('button');
	let paused = false;
	const shown = new Map();

	control.hidden = false;
	button.addEventListener('click', () => {
		paused = !paused;
		button.setAttribute('aria-pressed', String(paused));
		button.textContent = paused ? 'Resume updates' : 'Pause updates';
		say(paused ? 'Paused' : 'Live');
	});

	function say(text) {
		if (state.textContent === text) return;
		state.textContent = text;
		state.classList.toggle('off', text !== 'Live');
	}

	// Replacing the content would clear a selection that the user may be about to copy, and close a list that is open.
	function isInUse(region) {
		const selection = document.getSelection();
		const isSelecting =
			selection && !selection.isCollapsed && region.contains(selection.anchorNode);
		const { activeElement } = document;
		return Boolean(
			isSelecting || (activeElement?.tagName === 'SELECT' && region.contains(activeElement)),
		);
	}

	function replace(region, html) {
		const keyed = (key) => region.querySelector(`[data-key="${CSS.escape(key)}"]`);
		const open = [...region.querySelectorAll('details[open][data-key]')];
		const focused = document.activeElement?.closest?.('[data-key]');
		const focusedKey = focused && region.contains(focused) ? focused.dataset.key : '';
		const onSummary = document.activeElement?.tagName === 'SUMMARY';
		const chosen = [...region.querySelectorAll('select')].map(({ id, value }) => [id, value]);
		region.innerHTML = html;
		for (const [id, value] of chosen) {
			const option = region.querySelector(`#${id} option[value="${CSS.escape(value)}"]`);
			if (option) option.selected = true;
		}
		for (const { dataset } of open) keyed(dataset.key)?.setAttribute('open', '');
		if (!focusedKey) return;
		const target = keyed(focusedKey);
		(onSummary ? target?.querySelector('summary') : target)?.focus({ preventScroll: true });
	}

	async function update(region) {
		if (isInUse(region)) return;
		const answer = await fetch(region.dataset.live, { cache: 'no-store' });
		if (!answer.ok) throw new Error(String(answer.status));
		const html = await answer.text();
		if (paused) return;
		if (html !== shown.get(region)) replace(region, html);
		shown.set(region, html);
	}

	async function updateAll() {
		if (paused || document.hidden) return;
		try {
			await Promise.all(regions.map(update));
			if (!paused) say('Live');
		} catch {
			say('The sandbox isn’t responding. Trying again…');
		}
	}

	async function loop() {
		await updateAll();
		setTimeout(loop, interval);
	}
	setTimeout(loop, interval);
})();
