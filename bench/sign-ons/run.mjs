// npm run bench:sign-ons [-- OPTIONS]: installs and builds where needed, then measures sign-ons while passwords are guessed.
import { ensureBuilt, ensureInstalled } from '../../scripts/build.mjs';

ensureInstalled();
ensureBuilt();
const { benchmarkSignOns } = await import('../../dist/bench/sign-ons/benchmark-sign-ons.js');
process.exitCode = await benchmarkSignOns(process.argv.slice(2));
