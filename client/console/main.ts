import { LiveSections, type SectionChanges } from './live-sections.js';
import { LiveStream, showState } from './live-stream.js';
import type { LogChanges } from './log-rows.js';
import { LogTable } from './log-table.js';
import type { SessionChanges } from './session-rows.js';
import { SessionTable } from './session-table.js';

/** Makes pages of the console live. Without this script they show the state at the time of the request. */
const IDLE_MILLISECONDS = 1_000;

const { server } = document.body.dataset;
const state = document.getElementById('live');
const sessions = SessionTable.of(document.getElementById('session-list'));

if (state !== null && sessions !== undefined) {
  const stream = new LiveStream({
    topics: { sessions: (data) => sessions.take(data as SessionChanges) },
    state: (now) => showState(state, now),
  });
  stream.begin();
  setInterval(() => {
    if (state.dataset.state === 'live') sessions.show();
  }, IDLE_MILLISECONDS);
}

const lines = LogTable.of(document.getElementById('log-lines'));

if (state !== null && lines !== undefined) {
  new LiveStream({
    server,
    topics: { [lines.topic]: (data) => lines.take(data as LogChanges) },
    state: (now) => showState(state, now),
  }).begin();
}

const sections = LiveSections.of(state);
const asOf = document.getElementById('as-of');

if (state !== null && sections !== undefined) {
  new LiveStream({
    server,
    topics: { [sections.topic]: (data) => sections.take(data as SectionChanges) },
    state: (now) => {
      showState(state, now);
      if (asOf !== null) asOf.hidden = now === 'live';
    },
  }).begin();
}
