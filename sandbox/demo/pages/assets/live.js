'use strict';
// Keeps the part of a page marked data-live up to date: fetches it anew every two seconds.

(() => {
	const INTERVAL = 2000;
	const region = document.querySelector('[data-live]');
	const control = document.querySelector('.live-control');
	if (!region || !control) return;
	const state = control.querySelector('.live-state');
	const button = control.querySelector('button');
	let paused = false;
	let shown = '';

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

	// Replacing the content would take away a selection that the person is about to copy.
	function isSelecting() {
		const selection = document.getSelection();
		return Boolean(selection && !selection.isCollapsed && region.contains(selection.anchorNode));
	}

	function replace(html) {
		const keyed = (key) => region.querySelector(`[data-key="${CSS.escape(key)}"]`);
		const open = [...region.querySelectorAll('details[open][data-key]')];
		const focused = document.activeElement?.closest?.('[data-key]');
		const focusedKey = focused && region.contains(focused) ? focused.dataset.key : '';
		const onSummary = document.activeElement?.tagName === 'SUMMARY';
		region.innerHTML = html;
		for (const { dataset } of open) keyed(dataset.key)?.setAttribute('open', '');
		if (!focusedKey) return;
		const target = keyed(focusedKey);
		(onSummary ? target?.querySelector('summary') : target)?.focus({ preventScroll: true });
	}

	async function update() {
		if (paused || document.hidden || isSelecting()) return;
		try {
			const answer = await fetch(region.dataset.live, { cache: 'no-store' });
			if (!answer.ok) throw new Error(String(answer.status));
			const html = await answer.text();
			if (paused) return;
			if (html !== shown) replace(html);
			shown = html;
			say('Live');
		} catch {
			say('No answer from the sandbox, trying again');
		}
	}

	async function loop() {
		await update();
		setTimeout(loop, INTERVAL);
	}
	setTimeout(loop, INTERVAL);
})();
