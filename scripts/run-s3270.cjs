// `sallyport s3270`, in two files: if a daemon runs, the second is not loaded.
const { loadProgram, loadSmallProgram } = require('./kept-code.cjs');

/** Writes the code cache early: the process may be killed, and V8 discards startup code after a while. */
const KEPT_AFTER_MILLISECONDS = 1_000;

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
