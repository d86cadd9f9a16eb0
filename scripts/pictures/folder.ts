import path from 'node:path';

import { root } from '../tools';

/** The folder with the pictures in the README and the docs. */
export const docsImages = path.join(root, 'docs/images');

/** The folder that pictures are written to: `npm run pictures -- --into` sets another one. */
export const picturesFolder = () => process.env.SIGNVERIFY_PICTURES ?? docsImages;

/** The path of a picture, given its name without the extension. */
export const pictureFile = (name: string) => path.join(picturesFolder(), `${name}.png`);

export const printPicture = (file: string) => console.log(path.relative(root, file));

/** The name of the film in the README. Its extension differs from that of the pictures. */
export const filmName = 'film';
export const filmFile = (folder: string) => path.join(folder, `${filmName}.webp`);

/** The beginning of the name of a picture that shows an example's canvas. The example's name follows. */
export const canvasPrefix = 'example-';

/**
 * The beginning of the name of a picture that shows what an example's reader gets, such as an email. The example's
 * name follows.
 */
export const resultPrefix = 'result-';
