// `sallyport s3270`, in two files: where a daemon runs, the second is not needed.
const { loadProgram, loadSmallProgram } = require('./kept-code.cjs');

/** Where it is killed before its end, what was compiled by then is kept; after a long life V8 has thrown away what only the start needs. */
const KEPT_AFTER_MILLISECONDS = 1_000;

/** @param words the arguments of s3270 */
async function runS3270(words) {
  const { runS3270Program } = loadSmallProgram('s3270');
  let keep;
  process.exitCode = await runS3270Program(words, async () => {
    const { program, keepCompiled } = loadProgram('s3270-sessions');
    if (keepCompiled !== undefined) keep = once(keepCompiled);
    return program;
  });
  keep?.();
}

function once(keepCompiled) {
  const timer = setTimeout(keep, KEPT_AFTER_MILLISECONDS).unref();
  let isKept = false;
  return keep;

  function keep() {
    clearTimeout(timer);
    if (!isKept) keepCompiled();
    isKept = true;
  }
}

module.exports = { runS3270 };
