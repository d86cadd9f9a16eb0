'use strict';
// Shows the buttons that have a data-copy attribute. Clicking a button copies the attribute's value.

(() => {
	// Browsers offer the clipboard only to secure origins, such as loopback. Elsewhere, the buttons stay
	// hidden, and users can select and copy the value.
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
