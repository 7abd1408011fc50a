import type { TraceSink } from '../../lib/log/trace-sinks.js';
import {
  type LiveSession,
  type LiveSessions,
  type OperableSession,
  type ScreenWatch,
  type ScreenWatcher,
  sessionIdentifier,
} from '../../operation/live-session.js';
import type { PooledSession } from '../../services/pooled-session.js';
import type { SessionPool } from '../../services/session-pool.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';
import type { ScenarioSession } from '../../sessions/scenario-sessions.js';
import { HostTrace } from '../../tn3270/host/host-trace.js';
import type { ScreenImage } from '../../tn3270/screen/screen-image.js';

export class ServerSessions implements LiveSessions {
  readonly #sessions: BrowserSessions;
  readonly #pools: () => readonly SessionPool[];

  constructor(sessions: BrowserSessions, pools: () => readonly SessionPool[]) {
    this.#sessions = sessions;
    this.#pools = pools;
  }

  list(): readonly LiveSession[] {
    const { registry, services } = this.#sessions;
    const ofPools = this.#pools().flatMap((pool) => pool.sessions.map((session) => factsOfPooled(session, pool)));
    const all = [...registry.sessions.map(factsOfBrowser), ...services.sessions.map(factsOfScenario), ...ofPools];
    return all.map((facts) => this.#named(facts));
  }

  find(identifier: string): OperableSession | undefined {
    const found = this.#found(identifier);
    return found && { ...found, facts: this.#named(found.facts) };
  }

  #named(facts: LiveSession): LiveSession {
    const { node } = this.#sessions;
    return node === undefined ? facts : { ...facts, node, id: sessionIdentifier(node, facts.id) };
  }

  #found(identifier: string): OperableSession | undefined {
    const { node } = this.#sessions;
    const id = node === undefined ? identifier : identifier.replace(sessionIdentifier(node, ''), '');
    const { registry, services } = this.#sessions;
    const browser = registry.sessions.find(({ conversation }) => conversation.id === id);
    if (browser !== undefined) return operableBrowser(browser);
    const scenario = services.sessions.find(({ conversation }) => conversation.id === id);
    if (scenario !== undefined) return unseen(factsOfScenario(scenario), () => scenario.stop());
    for (const pool of this.#pools()) {
      const pooled = pool.sessions.find(({ conversation }) => conversation.id === id);
      if (pooled !== undefined) return unseen(factsOfPooled(pooled, pool), () => pooled.end());
    }
    return undefined;
  }
}

function operableBrowser(session: BrowserSession): OperableSession {
  return {
    facts: factsOfBrowser(session),
    end: () => session.endByOperator(),
    show: (text, from) => session.supervision.show(text, from),
    watch: (watcher, by) => watchBrowser(session, watcher, by),
    trace: (sink, by) => traceBrowser(session, sink, by),
  };
}

function unseen(facts: LiveSession, end: () => void): OperableSession {
  return { facts, end, show: undefined, watch: undefined, trace: undefined };
}

/** Notifies the user before anything is written. */
function traceBrowser(session: BrowserSession, sink: TraceSink, by: string): () => void {
  const { conversation, supervision } = session;
  const leave = supervision.trace(by);
  // The provider of the sink limits its size.
  conversation.trace = new HostTrace(sink, Number.POSITIVE_INFINITY);
  session.whenEnded(() => sink.ended());
  return () => {
    conversation.trace = undefined;
    leave();
  };
}

/** Watchers do not affect the lifetime of the session. */
function watchBrowser(session: BrowserSession, watcher: ScreenWatcher, name: string): ScreenWatch {
  const { supervision, conversation } = session;
  let shown: ScreenImage | undefined;
  let hasLeft = false;
  const leave = supervision.watch({ name, changed: () => watcher.changed() });
  session.whenEnded(() => {
    if (!hasLeft) watcher.ended();
  });
  return {
    get image() {
      if (!session.isHidden) shown = conversation.image;
      return shown;
    },
    leave: () => {
      hasLeft = true;
      leave();
    },
  };
}

function factsOfBrowser(session: BrowserSession): LiveSession {
  const { facts, supervision, use, isOpen, conversation } = session;
  const { user, address, line, transaction, application } = facts;
  return {
    id: conversation.id,
    node: '',
    kind: 'browser',
    state: stateOf(isOpen, conversation.isConnected),
    user,
    address,
    line,
    transaction,
    host: application,
    logicalUnit: conversation.deviceName,
    name: use.name,
    ...timesOf(use.begun, use.last),
    watchedBy: supervision.watchedBy,
    tracedBy: supervision.tracedBy,
  };
}

function factsOfScenario(session: ScenarioSession): LiveSession {
  const { facts, isOpen, conversation, begun, lastServed } = session;
  const { user, address, line, transaction, application } = facts;
  return {
    id: conversation.id,
    node: '',
    kind: 'scenario',
    state: stateOf(isOpen, conversation.isConnected),
    user,
    address,
    line,
    transaction,
    host: application,
    logicalUnit: conversation.deviceName,
    name: '',
    ...timesOf(begun, lastServed),
    watchedBy: [],
    tracedBy: [],
  };
}

function factsOfPooled(session: PooledSession, { state: { name, host } }: SessionPool): LiveSession {
  const { life, hasEnded, conversation, begun, lastUsed } = session;
  return {
    id: conversation.id,
    node: '',
    kind: 'pool',
    state: stateOf(!hasEnded, conversation.isConnected),
    user: life.definition.user,
    address: '',
    line: '',
    transaction: name,
    host,
    logicalUnit: conversation.deviceName,
    name: '',
    ...timesOf(begun, lastUsed),
    watchedBy: [],
    tracedBy: [],
  };
}

function stateOf(isOpen: boolean, isConnected: boolean): LiveSession['state'] {
  if (!isOpen) return 'ending';
  return isConnected ? 'connected' : 'connecting';
}

/** @param begun time of `performance.now()`, as is `last` */
function timesOf(begun: number, last: number): Pick<LiveSession, 'began' | 'lastUsed'> {
  const { timeOrigin } = performance;
  return { began: Math.round(timeOrigin + begun), lastUsed: Math.round(timeOrigin + last) };
}
