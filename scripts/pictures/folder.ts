import path from 'node:path';

import { root } from '../tools';

/** The folder with the pictures in the README and the docs. */
export const docsImages = path.join(root, 'docs/images');

/** The folder that pictures are written to: `npm run pictures -- --into` sets another one. */
export const picturesFolder = () => process.env.SIGNVERIFY_PICTURES ?? docsImages;

/** The path of a picture, given its name without the extension. */
export const pictureFile = (name: string) => path.join(picturesFolder(), `${name}.png`);

/** Prints a picture's path. */
export const printPicture = (name: string) => console.log(path.relative(root, pictureFile(name)));
