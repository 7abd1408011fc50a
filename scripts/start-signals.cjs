// Loaded first: records signals until the server handles them. Their default action would end the process.
const kept = [];
const signals = process.platform === 'win32' ? [] : ['SIGHUP', ...(isWorker() ? [] : ['SIGUSR2'])];
const keep = (signal) => kept.push(signal);
if (isServer()) for (const signal of signals) process.on(signal, keep);
// a terminal sends SIGINT to every process; the supervisor decides for its workers
if (isServer() && isWorker()) process.on('SIGINT', () => {});

/** Without a command the program runs the server. */
function isServer() {
  const [first = ''] = process.argv.slice(2);
  return (
    first === 'serve' || first === '' || (first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first))
  );
}

/** The supervisor drains a worker by SIGUSR2; before the worker is ready, the signal ends it. */
function isWorker() {
  return process.env.SALLYPORT_NODE !== undefined;
}

function handOver() {
  for (const signal of signals) process.off(signal, keep);
  return kept.splice(0);
}

module.exports = { isServer, startSignals: { signals, handOver } };
