import { randomInt, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { InternalLine, type PassedOn } from '../../cluster/nodes/internal-line.js';
import { machineKey } from '../../cluster/nodes/machine-key.js';
import type { ClusterTls, KnownNode, NodeAddress, NodeReport, NodeStore } from '../../cluster/nodes/node-store.js';
import { type FoundNode, OtherNodes, type Seals } from '../../cluster/nodes/other-nodes.js';
import { Seal } from '../../cluster/nodes/seal.js';
import type { Configuration } from '../../config/configuration.js';
import { installedVersion } from '../../config/installation.js';
import { readServiceAddress } from '../../config/network-address.js';
import { readPemFile } from '../../config/read-pem-file.js';
import { ServiceError } from '../../lib/errors.js';
import type { Log } from '../../lib/log/log.js';
import type { Metrics } from '../../lib/metrics.js';
import { CertificateWatch } from '../../lines/listener/certificate-watch.js';
import type { Condition } from '../../operation/health/health.js';
import type { LiveSessions } from '../../operation/live-session.js';
import type { NodeFigures, NodeList, NodeLoad } from '../../operation/node-load.js';
import { needsRestartOutcome, type Part, type Replacement, unchanged } from '../part.js';
import { SharedSessionList } from './sessions-elsewhere.js';

const BEAT_MILLISECONDS = 1_000;
/** Beats between reads of the node list, if there are no notifications and no forwarded requests. */
const BEATS_BETWEEN_LOOKS = 3;
/** An older report is overdue. Then each beat reads the node list. */
const LATE_MILLISECONDS = 2 * BEAT_MILLISECONDS;
/** Minimum interval of reads, because clients can request unknown nodes and many nodes may change at once. */
const LOOKS_APART_MILLISECONDS = 200;
/** A node without a report for this time that fails the presence check is gone. */
const SILENT_MILLISECONDS = 3_000;
/** Maximum age of the list for decisions. */
const KNOWN_MILLISECONDS = 2 * BEATS_BETWEEN_LOOKS * BEAT_MILLISECONDS;
/** In addition to the connections of browser sessions. */
const CONNECTIONS_FOR_REQUESTS = 4_096;

type Settings = Pick<Configuration, 'node' | 'internalLine' | 'workerFolder' | 'nodePatience'>;

interface ClusterContext {
  readonly store: NodeStore | undefined;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'internalLineRefused'>;
  readonly mostSessions: number;
  readonly sessions: () => number;
  readonly liveSessions: LiveSessions;
  readonly isDraining: () => boolean;
  readonly heard: (news: string) => void;
  readonly usersChanged: () => void;
  readonly passedOn: PassedOn;
  readonly load: () => NodeLoad;
}

export class ClusterPart implements Part, NodeList {
  readonly name = 'cluster';
  readonly reads = ['node', 'internalLine', 'workerFolder', 'nodePatience'] as const;
  readonly others: OtherNodes | undefined;
  readonly sessionList: SharedSessionList | undefined;
  readonly #settings: Settings;
  readonly #context: ClusterContext;
  readonly #lines: InternalLine[] = [];
  readonly #seals: Seal[] = [];
  #known: readonly KnownNode[] = [];
  /** Time of the last read. Silence in `#known` is measured up to this time. */
  #readAt = Number.NEGATIVE_INFINITY;
  #fault: string | undefined;
  #beating: Promise<void> = Promise.resolve();
  #isBeating = false;
  readonly #tls: ClusterTls | undefined;
  #certificates: CertificateWatch<ClusterTls> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #isLookDue = true;
  #beatsSinceLook = 0;
  #isCuttingOff = false;
  #isOver = false;

  constructor({ node, internalLine, workerFolder, nodePatience }: Settings, context: ClusterContext) {
    this.#settings = { node, internalLine, workerFolder, nodePatience };
    this.#context = context;
    if (node === undefined || (internalLine === undefined && workerFolder === undefined)) return;
    const { store, liveSessions } = context;
    if (store !== undefined) this.sessionList = new SharedSessionList(store, node, () => liveSessions.list());
    const tls = internalLine && tlsOf(internalLine.tls);
    this.#tls = tls;
    const seals = sealsOf(workerFolder, store);
    this.others = new OtherNodes(
      {
        find: (code) => this.#find(code),
        lookAgain: () => this.#lookAgain(),
        anyForNewSession: (except) => this.#anyForNewSession(new Set([node, ...except])),
        onThisMachine: () => this.#onThisMachine().filter((code) => code !== node),
      },
      tls,
      nodePatience,
      seals,
    );
    const { log, metrics, passedOn, mostSessions } = context;
    const line = (address: NodeAddress, ofLine: ClusterTls | undefined) => {
      const seal = seals[address.kind];
      this.#seals.push(seal);
      this.#lines.push(
        new InternalLine({
          address,
          tls: ofLine,
          seal,
          mostConnections: mostSessions + CONNECTIONS_FOR_REQUESTS,
          log,
          onRefused: (reason) => metrics.internalLineRefused(reason),
          passedOn,
          loadOf: (code) => this.#toldLoad(code, node, address.kind),
        }),
      );
    };
    if (workerFolder !== undefined) line(socketOf(workerFolder, node), undefined);
    if (internalLine !== undefined) line({ kind: 'https', ...listenOf(internalLine) }, tls);
  }

  get conditions(): readonly Condition[] {
    if (this.others === undefined) return [];
    const cluster: Condition = {
      name: 'cluster',
      fault: async () => this.#fault ?? this.#certificates?.state.fault,
    };
    const certificates = this.#certificates;
    if (certificates === undefined) return [cluster];
    // The current certificate is still valid, so the node stays ready.
    const renewal: Condition = {
      name: 'certificate of the cluster',
      isReady: true,
      fault: async () => certificates.state.endsSoon,
    };
    return [cluster, renewal];
  }

  get nodes(): readonly NodeFigures[] {
    const own = this.others === undefined ? undefined : this.#report();
    if (own === undefined) return [];
    const others = this.#known.map(({ silentMilliseconds, ...node }) => ({
      ...node,
      state: silentMilliseconds > SILENT_MILLISECONDS ? ('gone' as const) : node.state,
      silentSeconds: Math.floor(silentMilliseconds / 1_000),
      this: false,
    }));
    return [{ ...own, silentSeconds: 0, this: true }, ...others].sort((one, other) => (one.code < other.code ? -1 : 1));
  }

  async loadOf(code: string): Promise<string> {
    if (this.others === undefined) throw new ServiceError('SVC_ERR_NODE_GONE');
    return this.others.loadOf(code);
  }

  stateChanged(): void {
    this.#beatNext();
  }

  /** News may arrive more than once. */
  tell(news: string): void {
    const { store, log } = this.#context;
    if (this.others === undefined || store === undefined) return;
    store
      .tell(news)
      .catch((error: unknown) => log.error({ err: error }, 'other nodes could not be notified of a sign-off'));
  }

  /** @throws Error if another process has the code of this node, or if the internal line cannot be opened */
  async start(): Promise<void> {
    for (const seal of this.#seals) await seal.begin();
    for (const line of this.#lines) await line.start();
    this.#watchCertificates();
    const { store } = this.#context;
    const { node, internalLine } = this.#settings;
    if (store === undefined) return;
    if (this.others === undefined) {
      // Without an internal line, a single server works normally.
      if ((await store.processes().catch(() => 1)) > 1) this.#hintAtInternalLine({});
      return;
    }
    store.listen((what) => (what === 'nodes' ? this.#lookSoon() : this.#context.usersChanged()));
    await this.#beat();
    if (this.#fault !== undefined) throw new Error(this.#fault);
    this.#timer = setInterval(() => this.#beatNext(), BEAT_MILLISECONDS);
    const elsewhere = this.#elsewhere(node);
    if (internalLine === undefined && elsewhere.length > 0) this.#hintAtInternalLine({ nodes: elsewhere });
  }

  /** Codes of nodes on other machines. Workers of one machine share a prefix. */
  #elsewhere(own = ''): readonly string[] {
    const machineOf = (code: string) => code.replace(/\d+$/, '');
    const others = this.#known.filter((known) => machineOf(known.code) !== machineOf(own) && !this.#isSilent(known));
    return others.map(({ code }) => code);
  }

  #hintAtInternalLine(facts: object): void {
    this.#context.log.warn(
      facts,
      'other servers use this database, but there is no internal line (cluster.listen): sign-on forms and session requests that reach the wrong server are rejected',
    );
  }

  async stop(graceMilliseconds: number): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#certificates?.stop();
    this.#isOver = true;
    await this.#beating;
    const { node } = this.#settings;
    const { store } = this.#context;
    // If the removal fails, others notice the missing reports.
    if (node !== undefined && this.#timer !== undefined && this.#fault === undefined)
      await store?.remove(node).catch(() => {});
    await Promise.all(this.#lines.map((line) => line.stop(graceMilliseconds)));
    this.others?.close();
  }

  async replace(next: Configuration): Promise<Replacement> {
    const of = ({ internalLine, nodePatience }: Settings) => ({ internalLine, nodePatience });
    if (isDeepStrictEqual(of(next), of(this.#settings))) return unchanged;
    return needsRestartOutcome({ what: 'cluster', reason: 'other nodes identify this one by these values' });
  }

  /** The internal line between machines is shared by all workers, so a worker may get the request for another. */
  async #toldLoad(code: string, own: string, arrival: NodeAddress['kind']): Promise<string | undefined> {
    if (code === own) return JSON.stringify(this.#context.load());
    const isHere = arrival === 'https' && this.others?.onThisMachine.includes(code);
    return isHere ? this.loadOf(code) : undefined;
  }

  #watchCertificates(): void {
    const { internalLine } = this.#settings;
    if (internalLine === undefined || this.#tls === undefined) return;
    const use = (found: ClusterTls) => {
      for (const line of this.#lines) line.useTls(found);
      this.others?.useTls(found);
    };
    const read = () => usableTls(internalLine.tls);
    const files = { line: 'internal line', peers: 'other servers', read, use } as const;
    this.#certificates = new CertificateWatch(this.#tls, files, this.#context.log);
  }

  #find(code: string): FoundNode | undefined {
    const { workerFolder, internalLine } = this.#settings;
    if (workerFolder !== undefined) {
      const address = socketOf(workerFolder, code);
      // A presence check on the same machine is fast, so always make one.
      if (existsSync(address.path)) return { address, isLate: true, isSilent: true };
    }
    const known = this.#known.find((node) => node.code === code);
    if (known === undefined || internalLine === undefined) return undefined;
    const address = readServiceAddress(known.address);
    if (address.kind === 'fault') return undefined;
    const isLate = known.silentMilliseconds > LATE_MILLISECONDS;
    return { address: { kind: 'https', ...address.value }, isLate, isSilent: this.#isSilent(known) };
  }

  /** A worker of this machine, or else the node with the fewest sessions. */
  #anyForNewSession(except: ReadonlySet<string>): string | undefined {
    const { internalLine } = this.#settings;
    const draining = new Set(this.#known.filter(({ state }) => state === 'draining').map(({ code }) => code));
    const codes = this.#onThisMachine().filter((code) => !except.has(code) && !draining.has(code));
    if (codes.length > 0) return codes[randomInt(codes.length)];
    if (internalLine === undefined) return undefined;
    const up = this.#known.filter(
      (node) => node.address !== '' && node.state === 'up' && !except.has(node.code) && !this.#isSilent(node),
    );
    return up.sort((one, other) => one.sessions - other.sessions)[0]?.code;
  }

  #onThisMachine(): readonly string[] {
    const { workerFolder } = this.#settings;
    const files = workerFolder === undefined ? [] : readdirSync(workerFolder);
    return files.filter((file) => file.endsWith(SOCKET)).map((file) => file.slice(0, -SOCKET.length));
  }

  /** If the node list is out of date, no node counts as silent. */
  #isSilent({ silentMilliseconds }: KnownNode): boolean {
    return silentMilliseconds > SILENT_MILLISECONDS && performance.now() - this.#readAt < KNOWN_MILLISECONDS;
  }

  /** Reads the node list again, because a notification may be late. */
  async #lookAgain(): Promise<void> {
    const sinceLook = () => performance.now() - this.#readAt;
    if (this.#soon === undefined && sinceLook() < LOOKS_APART_MILLISECONDS)
      await pause(LOOKS_APART_MILLISECONDS - sinceLook() + 1);
    const wasBeating = this.#isBeating;
    if (this.#soon !== undefined || sinceLook() >= LOOKS_APART_MILLISECONDS) {
      clearTimeout(this.#soon);
      this.#soon = undefined;
      this.#isLookDue = true;
      this.#beatNext();
    }
    await this.#beating;
    // The beat in progress may have started before the request. Wait for the next one.
    if (wasBeating) await this.#beating;
  }

  #lookSoon(): void {
    const wait = Math.max(0, this.#readAt + LOOKS_APART_MILLISECONDS - performance.now());
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#isLookDue = true;
      this.#beatNext();
    }, wait);
  }

  #beatNext(): void {
    // A hanging beat must not queue up others, and a removed node must not report again.
    if (this.#isBeating || this.#isOver) return;
    this.#isBeating = true;
    this.#beating = this.#beat().finally(() => {
      this.#isBeating = false;
      void this.#cutOffGone();
      if (this.#isLookDue) this.#beatNext();
    });
  }

  async #cutOffGone(): Promise<void> {
    if (this.#isCuttingOff) return;
    this.#isCuttingOff = true;
    try {
      await this.others?.cutOffGone();
    } finally {
      this.#isCuttingOff = false;
    }
  }

  async #beat(): Promise<void> {
    const { store, log } = this.#context;
    const own = this.#report();
    const isLook = this.#isLookDue || this.others?.isWaiting || ++this.#beatsSinceLook >= BEATS_BETWEEN_LOOKS;
    this.#isLookDue = false;
    if (store === undefined || own === undefined) return;
    try {
      const taken = await store.report(own);
      const fault =
        taken === undefined
          ? `another server has the node code "${own.code}": give each server a unique code`
          : undefined;
      if (fault !== undefined && fault !== this.#fault) log.error({ node: own.code }, fault);
      this.#fault = fault;
      if (taken !== undefined) {
        if (isLook) await this.#look(store, own.code);
        await this.sessionList?.tell(taken.isNew);
      }
    } catch (error) {
      this.#beatsSinceLook = BEATS_BETWEEN_LOOKS;
      log.debug({ err: error }, 'the nodes cannot be read');
    }
  }

  async #look(store: NodeStore, own: string): Promise<void> {
    this.#beatsSinceLook = 0;
    const { nodes, news } = await store.look();
    this.#known = nodes.filter(({ code }) => code !== own);
    this.#readAt = performance.now();
    const isLate = ({ silentMilliseconds }: KnownNode) =>
      silentMilliseconds > LATE_MILLISECONDS && silentMilliseconds <= SILENT_MILLISECONDS;
    if (this.#known.some(isLate)) this.#beatsSinceLook = BEATS_BETWEEN_LOOKS;
    for (const text of news) this.#context.heard(text);
  }

  #report(): NodeReport | undefined {
    const { node, internalLine } = this.#settings;
    if (node === undefined) return undefined;
    const address = internalLine === undefined ? '' : this.#addressOf(internalLine);
    const state = this.#context.isDraining() ? 'draining' : 'up';
    return { code: node, address, version: installedVersion(), state, sessions: this.#context.sessions() };
  }

  #addressOf({ address, ...listen }: NonNullable<Settings['internalLine']>): string {
    const { host, port } = address ?? { ...listenOf(listen), port: this.#lines.at(-1)?.port ?? listen.port };
    return `${host.includes(':') ? `[${host}]` : host}:${port}`;
  }
}

const SOCKET = '.sock';

function socketOf(folder: string, code: string): NodeAddress & { readonly kind: 'unix' } {
  return { kind: 'unix', path: join(folder, `${code}${SOCKET}`) };
}

function listenOf({ host, port }: { readonly host: string | undefined; readonly port: number }) {
  return { host: host ?? '::', port };
}

function tlsOf({ cert, key, ca, name }: NonNullable<Settings['internalLine']>['tls']): ClusterTls {
  return { cert: readPemFile(cert), key: readPemFile(key), ca: readPemFile(ca), name };
}

function usableTls(files: NonNullable<Settings['internalLine']>['tls']): ClusterTls {
  const tls = tlsOf(files);
  createSecureContext(tls);
  if (new X509Certificate(tls.cert).checkHost(tls.name) === undefined)
    throw new Error(`the certificate ${files.cert} is not for ${tls.name}`);
  return tls;
}

/** Each kind of internal line has its own key, read at start. */
function sealsOf(workerFolder: string | undefined, store: NodeStore | undefined): Seals {
  const unavailable = (what: string) => Promise.reject(new Error(`the internal line has no key without ${what}`));
  return {
    unix: new Seal(() => (workerFolder === undefined ? unavailable('processes') : machineKey(workerFolder))),
    https: new Seal(() => store?.sealKey() ?? unavailable('a database')),
  };
}
