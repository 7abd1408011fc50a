// npm run bench:s3270: installs and builds if needed, then measures `sallyport s3270` and Debian's s3270.
import { ensureBuilt, ensureInstalled } from '../../scripts/build.mjs';

ensureInstalled();
ensureBuilt();
const { benchmarkS3270 } = await import('../../dist/bench/s3270/benchmark-s3270.js');
process.exitCode = await benchmarkS3270(process.argv.slice(2));
