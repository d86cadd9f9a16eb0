'use strict';
// Lets the signatory switch between typing and drawing in the signing form, and submits a drawing as a PNG.

(() => {
	const form = document.querySelector('[data-sign-form]');
	if (!form) return;
	const typed = form.querySelector('[data-kind="typed"]');
	const drawn = form.querySelector('[data-kind="drawn"]');
	const canvas = form.querySelector('canvas');
	const problem = form.querySelector('#problem-signature');
	const submit = form.querySelector('[type="submit"]');
	const drawChoice = form.querySelector('.needs-script');
	let pad;

	if (window.SignaturePad) drawChoice.hidden = false;
	else form.elements.kind.value = 'typed';

	function createPad() {
		const created = new window.SignaturePad(canvas, {
			penColor: '#14213d',
			minWidth: 0.8,
			maxWidth: 2.6,
		});
		created.addEventListener('beginStroke', () => {
			problem.hidden = true;
		});
		return created;
	}

	// Matches the canvas to the screen's pixel density, up to a ratio of 2, so that drawings are sharp on
	// phones.
	function fit() {
		if (drawn.hidden) return;
		const ratio = Math.min(window.devicePixelRatio || 1, 2);
		const width = Math.round(canvas.offsetWidth * ratio);
		const height = Math.round(canvas.offsetHeight * ratio);
		if (canvas.width === width && canvas.height === height) return;
		const strokes = pad ? pad.toData() : [];
		canvas.width = width;
		canvas.height = height;
		canvas.getContext('2d').scale(ratio, ratio);
		pad ??= createPad();
		pad.clear();
		pad.fromData(strokes);
	}

	// Crops the empty space around the drawing so that the drawing fills its box in the document.
	function cropped() {
		const { width, height } = canvas;
		const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
		let [left, top, right, bottom] = [width, height, 0, 0];
		for (let y = 0; y < height; y++) {
			for (let x = 0; x < width; x++) {
				if (!data[(y * width + x) * 4 + 3]) continue;
				left = Math.min(left, x);
				right = Math.max(right, x);
				top = Math.min(top, y);
				bottom = y;
			}
		}
		// The minimum size prevents a dot from being enlarged to the size of a signature.
		const copy = document.createElement('canvas');
		copy.width = Math.max(right - left + 13, 240);
		copy.height = Math.max(bottom - top + 13, 80);
		const x = (copy.width - (right - left + 1)) / 2 - left;
		const y = (copy.height - (bottom - top + 1)) / 2 - top;
		copy.getContext('2d').drawImage(canvas, Math.round(x), Math.round(y));
		return copy;
	}

	function show() {
		const drawing = form.elements.kind.value === 'drawn';
		typed.hidden = drawing;
		drawn.hidden = !drawing;
		fit();
	}

	function refuse(text, field) {
		problem.textContent = text;
		problem.hidden = false;
		field?.focus();
	}

	form.addEventListener('change', (event) => {
		if (event.target.name !== 'kind') return;
		problem.hidden = true;
		show();
	});
	form.addEventListener('input', ({ target }) => {
		target.removeAttribute('aria-invalid');
		if (target.name === 'text') problem.hidden = true;
	});
	form.querySelector('[data-clear]').addEventListener('click', () => pad?.clear());
	window.addEventListener('resize', fit);

	form.addEventListener('submit', (event) => {
		const missing = [...form.querySelectorAll('input[required]')].find((one) => !one.value.trim());
		if (missing) {
			event.preventDefault();
			missing.setAttribute('aria-invalid', 'true');
			missing.reportValidity();
			missing.focus();
			return;
		}
		const drawing = form.elements.kind.value === 'drawn';
		if (drawing && (!pad || pad.isEmpty())) {
			event.preventDefault();
			refuse('Draw your signature in the box.');
			return;
		}
		if (!drawing && !form.elements.text.value.trim()) {
			event.preventDefault();
			refuse('Type your name to sign.', form.elements.text);
			return;
		}
		form.elements.dataUrl.value = drawing ? cropped().toDataURL('image/png') : '';
		submit.disabled = true;
		submit.textContent = 'Signing…';
	});
	// The form must be usable again if the signatory returns with the browser's Back button.
	window.addEventListener('pageshow', () => {
		submit.disabled = false;
		submit.textContent = 'Sign the document';
	});

	show();
})();
