import type { RemoteHostDocument, SimulatedHostDocument } from '../../config/configuration-document.js';
import { readServiceAddress } from '../../config/network-address.js';
import { readPemFile } from '../../config/read-pem-file.js';
import type { SimulatedHost } from '../../demo/simulated-host/simulated-host.js';
import type { HostMetrics } from '../../lib/metrics.js';
import { type ReadOutcome, readAs, soundValue } from '../../lib/read-outcome.js';
import { reasonFault } from '../../lib/reasons.js';
import { unknownName } from '../../lib/text/nearest-name.js';
import type { SessionHost, TerminalWishes } from '../../sessions/session-host.js';
import { codePageNames, findTerminalCodePage } from '../../tn3270/codepage/code-pages.js';
import { MOST_16_BIT_POSITIONS } from '../../tn3270/datastream/buffer-address.js';
import { HostConnection, type HostTlsOptions } from '../../tn3270/host/host-connection.js';
import { allFunctions, type HostSessionOptions } from '../../tn3270/host/host-session-options.js';
import { openCheckedConnection, silenceDiagnosis } from '../../tn3270/host/protocol-probe.js';
import { findTerminalModel, type TerminalModel } from '../../tn3270/screen/screen-size.js';

const STARTTLS_MILLISECONDS = 10_000;
const NEGOTIATION_MILLISECONDS = 10_000;

type Connecting = Pick<
  HostSessionOptions,
  'connect' | 'startTls' | 'requiresStartTls' | 'diagnoseSilence' | 'keepAlive' | 'negotiationMilliseconds' | 'metrics'
>;

/** Sessions with the simulated host stay in this process and do not use the network. */
export function simulatedSessionHost(
  definition: SimulatedHostDocument,
  host: SimulatedHost,
  metrics: HostMetrics | undefined,
): SessionHost {
  return sessionHost(definition.deviceType, definition.codePage, [], {
    connect: async (handler) => new HostConnection(host.connect(), handler, { host: 'simulated', port: 0 }),
    startTls: undefined,
    keepAlive: undefined,
    negotiationMilliseconds: NEGOTIATION_MILLISECONDS,
    metrics,
  });
}

/** @throws Error if a PEM file is not readable */
export function remoteSessionHost(definition: RemoteHostDocument, metrics: HostMetrics | undefined): SessionHost {
  const { luName, connectSeconds, keepAliveSeconds, deviceType, codePage } = definition;
  const { host, port } = soundValue(readServiceAddress(definition.address));
  const address = { host, port };
  const tls = hostTlsOf(definition);
  const requiresStartTls = definition.startTls === 'required';
  const fromFirstByte = requiresStartTls ? undefined : tls;
  return sessionHost(deviceType, codePage, luName === undefined ? [] : [luName], {
    connect: (handler, signal) =>
      openCheckedConnection(
        { address, ...(fromFirstByte && { tls: fromFirstByte }), connectMilliseconds: connectSeconds * 1_000, signal },
        handler,
      ),
    startTls: (connection, signal) => connection.startTls(tls ?? {}, signal, STARTTLS_MILLISECONDS),
    requiresStartTls,
    diagnoseSilence: fromFirstByte === undefined ? silenceDiagnosis({ address }) : undefined,
    keepAlive: keepAliveSeconds === 0 ? undefined : { milliseconds: keepAliveSeconds * 1_000, by: 'noOperation' },
    negotiationMilliseconds: connectSeconds * 1_000,
    metrics,
  });
}

export function hostTlsOf({ tls }: RemoteHostDocument): HostTlsOptions | undefined {
  if (tls === false) return undefined;
  if (tls === true) return {};
  const { ca, cert, key, verify, ciphers } = tls;
  return {
    verify,
    ...(ciphers === undefined ? {} : { ciphers }),
    ...(ca === undefined ? {} : { ca: readPemFile(ca) }),
    ...(cert === undefined || key === undefined ? {} : { cert: readPemFile(cert), key: readPemFile(key) }),
  };
}

function sessionHost(
  deviceType: string,
  codePageName: string,
  deviceNames: readonly string[],
  connecting: Connecting,
): SessionHost {
  return {
    optionsFor: (wishes) => {
      const model = modelFor(deviceType, wishes);
      if (model.kind === 'fault') {
        const { rows = 24, columns = 80 } = wishes;
        return reasonFault('parameter.screenSize', { rows, columns, most: MOST_16_BIT_POSITIONS });
      }
      const wanted = wishes.codePage ?? codePageName;
      const codePage = findTerminalCodePage(wanted);
      if (codePage === undefined) {
        const { code, values } = unknownName('parameter.codePage', wanted.slice(0, 32), codePageNames());
        return reasonFault(code, values);
      }
      const { deviceName } = wishes;
      if (deviceName !== undefined && !/^[A-Za-z0-9$#@]{1,8}$/.test(deviceName))
        return reasonFault('parameter.logicalUnit');
      return readAs({
        model: model.value,
        codePage,
        entryRules: { numericLock: true, blankFill: false },
        deviceNames: deviceName === undefined ? deviceNames : [deviceName.toUpperCase()],
        tn3270e: true,
        functions: allFunctions,
        environment: new Map(),
        trace: undefined,
        ...connecting,
      });
    },
  };
}

const sizes: Readonly<Record<string, string>> = { '24x80': '2', '32x80': '3', '43x80': '4', '27x132': '5' };
/** The usual log modes of IBM end with the model number. */
const logmodeModel = /^(?:SNX3270|NSX3270|D4[ABC]327[89]|T327[89]|SNX327)([2-5])$/i;

function modelFor(deviceType: string, { rows, columns, logmode }: TerminalWishes): ReadOutcome<TerminalModel> {
  const digit = logmodeModel.exec(logmode ?? '')?.[1];
  const base = digit === undefined ? deviceType : deviceType.replace(/-[2-5](?=-E$|$)/i, `-${digit}`);
  if (rows === undefined && columns === undefined) return findTerminalModel(base);
  const size = `${rows ?? 24}x${columns ?? 80}`;
  const model = sizes[size];
  if (model !== undefined) return findTerminalModel(base.replace(/-[2-5](?=-E$|$)/i, `-${model}`));
  return findTerminalModel(base.replace(/-[2-5](?=-E$|$)/i, '-2'), `${columns ?? 80}x${rows ?? 24}`);
}
