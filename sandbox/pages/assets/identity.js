'use strict';
// The identity form: shows a chosen image's problems before it is sent, and unchooses the sample.

(() => {
	const form = document.querySelector('[data-identity-form]');
	if (!form) return;

	function whyNot(file, limit) {
		if (!['image/png', 'image/jpeg'].includes(file.type)) return 'Choose a PNG or a JPEG image.';
		return file.size > limit * 1024 * 1024 ? `This image is larger than ${limit} MB.` : '';
	}

	form.addEventListener('change', ({ target }) => {
		if (target.type === 'radio') {
			// Choosing a sample after a file means the sample.
			const file = form.elements[target.name.replace(/Sample$/, '')];
			if (target.name.endsWith('Sample') && file) {
				file.value = '';
				show(file, '');
			}
			return;
		}
		if (target.type !== 'file') return;
		const [file] = target.files;
		show(target, file ? whyNot(file, Number(target.dataset.limit)) : '');
		if (!file) return;
		for (const radio of form.querySelectorAll(`[name="${target.name}Sample"]`)) {
			radio.checked = false;
		}
	});

	function show(input, text) {
		const problem = input.parentElement.querySelector('.problem');
		problem.textContent = text;
		problem.hidden = !text;
		input.setCustomValidity(text);
	}
})();
