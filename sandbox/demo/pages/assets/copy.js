'use strict';
// Shows the buttons marked data-copy, and copies the value of the one that is pressed.

(() => {
	// Browsers offer the clipboard only on a secure origin, which loopback is. Without it the buttons
	// stay hidden, and the value is there to select.
	const { clipboard } = navigator;
	const status = document.querySelector('.copied');
	if (!clipboard || !status) return;

	for (const button of document.querySelectorAll('[data-copy]')) {
		button.hidden = false;
		button.addEventListener('click', async () => {
			const { copy, label } = button.dataset;
			try {
				await clipboard.writeText(copy);
				status.textContent = `${label} copied.`;
			} catch {
				status.textContent = `${label} not copied, because the browser doesn’t allow it. Select the value and copy it yourself.`;
			}
		});
	}
})();
