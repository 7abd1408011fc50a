// Asks the management port whether the server serves: node is-healthy.mjs [URL] [--wait SECONDS]
// Ends with 0 where it does; else with 1, and says what is wrong. For health checks of containers, and for systemd's ExecStartPost.
const DEFAULT_URL = 'http://127.0.0.1:41003/health/ready';
const ANSWER_MILLISECONDS = 3_000;
const PAUSE_MILLISECONDS = 200;

const given = process.argv.slice(2);
const waitAt = given.indexOf('--wait');
const seconds = waitAt < 0 ? 0 : Number(given[waitAt + 1]);
const [url = DEFAULT_URL] = waitAt < 0 ? given : given.toSpliced(waitAt, 2);
if (!Number.isFinite(seconds) || seconds < 0 || !URL.canParse(url)) {
  process.stderr.write('usage: node is-healthy.mjs [URL] [--wait SECONDS]\n');
  process.exit(2);
}

/** What is wrong, in words; undefined: nothing. */
async function fault() {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MILLISECONDS) });
    const text = await reply.text();
    return reply.ok ? undefined : `${reply.status} ${text.slice(0, 2_000)}`;
  } catch (error) {
    return `${url}: ${error.cause?.message ?? error.message}`;
  }
}

const end = performance.now() + seconds * 1_000;
let trouble = await fault();
while (trouble !== undefined && performance.now() < end) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  trouble = await fault();
}
if (trouble !== undefined) {
  process.stderr.write(`${trouble}\n`);
  process.exitCode = 1;
}
