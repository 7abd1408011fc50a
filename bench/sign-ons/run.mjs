// npm run bench:sign-ons [-- OPTIONS]: installs and builds if needed, then measures sign-ons during password guessing.
import { ensureBuilt, ensureInstalled } from '../../scripts/build.mjs';

ensureInstalled();
ensureBuilt();
const { benchmarkSignOns } = await import('../../dist/bench/sign-ons/benchmark-sign-ons.js');
process.exitCode = await benchmarkSignOns(process.argv.slice(2));
