import {
  type EmbeddingMessage,
  type EmbeddingRequest,
  embeddingRequestOf,
  GREETING,
} from '../embedding/embedding-messages.js';
import type { Actions } from './action-registry.js';
import { screenLines } from './screen-lines.js';
import type { Terminal } from './terminal.js';
import { words } from './words/words.js';

/** Port of the embedding page, if embedding is allowed and it has sent the greeting. */
let port: MessagePort | undefined;
let attach: ((port: MessagePort) => void) | undefined;

/** Called at page start: the embedding page may send its greeting before the terminal exists. */
export function listenForEmbedder(): void {
  const allowed = (document.body.dataset.embedders ?? '').split(' ').filter(Boolean);
  if (window.parent === window || allowed.length === 0) return;
  addEventListener('message', ({ data, origin, source, ports }) => {
    const [given] = ports;
    if (data !== GREETING || source !== window.parent || !allowed.includes(origin) || given === undefined) return;
    port?.close();
    port = given;
    attach?.(given);
  });
}

/** Lets the embedding page observe and control the terminal as its user can. Hidden fields are not sent. */
export function serveEmbedder(terminal: Terminal, actions: Actions): void {
  const tell = (message: EmbeddingMessage) => port?.postMessage(message);
  const tellScreen = () => {
    const { rows, columns } = terminal.model;
    if (terminal.model.revision !== undefined) tell({ event: 'screen', rows, columns });
  };
  terminal.listen({ screen: tellScreen, ended: (reason) => tell({ event: 'ended', reason }) });
  attach = (attached) => {
    document.body.classList.add('embedded');
    attached.addEventListener('message', ({ data }) => answer(data));
    attached.start();
    tell({ event: 'connected' });
    tellScreen();
  };
  if (port !== undefined) attach(port);

  function answer(data: unknown): void {
    const request = embeddingRequestOf(data);
    if (request === undefined) return;
    const { id } = request;
    const refusal = refusalOf(request);
    if (refusal !== undefined) tell({ refusal: id, message: refusal });
    else if (request.does === 'text') tell({ answer: id, text: screenLines(terminal.model).join('\n') });
    else tell({ answer: id });
  }

  /** Executes a request. @returns the error text if it fails */
  function refusalOf(request: EmbeddingRequest): string | undefined {
    if (request.does === 'text') return undefined;
    if (terminal.isOver) return words('play.sessionEnded');
    if (request.does === 'press') {
      const action = keyAction(request.key);
      if (action === undefined || !actions.run(action)) return words('embedding.noKey', { key: request.key });
    } else if (request.does === 'type') {
      terminal.user.type(request.text);
    } else if (request.does === 'fill') {
      const start = (request.row - 1) * terminal.model.columns + request.column - 1;
      const field = terminal.model.fields.find(({ address, isProtected }) => !isProtected && address + 1 === start);
      if (field === undefined || terminal.model.lock !== 0) return words('embedding.noField');
      terminal.user.fill(start, request.text);
    } else {
      terminal.press('DISCONNECT');
    }
    return undefined;
  }

  /** Terminal keys only, no other actions of the page. */
  function keyAction(name: string): string | undefined {
    const number = /^PF?0?(\d{1,2})$/i.exec(name)?.[1];
    const wanted = number === undefined ? name.toLowerCase() : `pf${number.padStart(2, '0')}`;
    return actions.all.find(({ id }) => id.toLowerCase() === wanted && /^[A-Z]/.test(id))?.id;
  }
}
