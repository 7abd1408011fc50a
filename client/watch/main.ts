import { decodeServerMessage } from '../../src/terminal/protocol/server-message.js';
import { LiveStream, showState } from '../console/live-stream.js';
import { BrowserTerminal } from '../terminal/model/browser-terminal.js';
import { ScreenView } from '../terminal/screen-view.js';
import { shownScreen } from '../terminal/shown-screen.js';

/** Read-only view of a session, as its user sees it. */
const place = document.getElementById('screen');
const state = document.getElementById('live');
const session = document.body.dataset.session ?? '';

if (place !== null && state !== null) watch(place, state);

function watch(place: HTMLElement, state: HTMLElement): void {
  let model = new BrowserTerminal({});
  const view = new ScreenView(place);
  const stream = new LiveStream({
    topics: { [`screen:${session}`]: take },
    state: (now) => {
      // a restarted stream begins with the whole screen
      if (now === 'connecting') model = new BrowserTerminal({});
      showState(state, now);
    },
  });
  stream.begin();

  function take(data: unknown): void {
    const message = decodeServerMessage(JSON.stringify(data));
    if (message?.k === 'e') {
      stream.close();
      showState(state, 'ended');
      place.setAttribute('aria-disabled', 'true');
    }
    if (message === undefined || (message.k !== 's' && message.k !== 'd') || !model.receive(message)) return;
    view.show(shownScreen(model));
    for (const input of view.inputs.values()) {
      input.readOnly = true;
      input.tabIndex = -1;
    }
  }
}
