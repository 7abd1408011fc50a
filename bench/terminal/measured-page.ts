/** The time of a paint is that of the task after the next frame: the best approximation available to a page. */
export const MEASURING = `(() => {
  const measured = { keys: [], answers: [], longTasks: [], gaps: [] };
  window.measured = measured;
  const painted = (then) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => then(performance.now());
    port2.postMessage(0);
  });
  window.painted = painted;
  addEventListener('keydown', ({ timeStamp, key }) => {
    if ([...key].length === 1) painted((at) => measured.keys.push(at - timeStamp));
    if (key === 'Enter') measured.enter = timeStamp;
  }, true);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.longTasks.push(duration);
  }).observe({ type: 'longtask' });
  const Socket = WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      window.socket = this;
      this.addEventListener('message', ({ data }) => {
        const { k } = JSON.parse(data);
        if ((k !== 's' && k !== 'd') || measured.enter === undefined || measured.sent === undefined) return;
        const { enter, sent } = measured;
        measured.enter = measured.sent = undefined;
        const received = performance.now();
        painted((at) => measured.answers.push({ whole: at - enter, host: received - sent }));
      });
    }
    send(text) {
      if (JSON.parse(text).k === 'k') measured.sent = performance.now();
      super.send(text);
    }
  };
  window.watchFrames = () => {
    let last = performance.now();
    const next = (at) => {
      measured.gaps.push(at - last);
      last = at;
      if (window.isWatching) requestAnimationFrame(next);
    };
    window.isWatching = true;
    requestAnimationFrame(next);
  };
})()`;

/** @param values sorted */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
