import { recordDemonstration } from './pictures/demonstration';
import { makeMovie } from './pictures/movie';
import { takeScreenshots } from './pictures/screenshots';

const usage = `Say which pictures to make, in a real n8n and a real browser:

  npm run pictures -- screenshots [example…]   those in docs/images, or only those of some examples
  npm run pictures -- movie                    the moving picture of the README, and its still
  npm run pictures -- demonstration            the video that n8n asks for before it verifies a package`;

async function main([what, ...examples]: string[]): Promise<void> {
	if (what === 'screenshots') await takeScreenshots(examples);
	else if (what === 'movie') await makeMovie();
	else if (what === 'demonstration') await recordDemonstration();
	else throw new Error(usage);
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
