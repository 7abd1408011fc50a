import { type DocumentFault, errorAt } from '../lib/documents/document-fault.js';
import type { ConfigurationDocument } from './configuration-document.js';
import { readListenAddress, readServiceAddress } from './network-address.js';

/** Whether nodes can reach each other as a configuration says. */
export function* checkCluster({ cluster, store }: ConfigurationDocument): Generator<DocumentFault> {
  if (cluster?.listen === undefined) return;
  if (store === undefined) yield errorAt(['cluster', 'listen'], 'needs the key "store": nodes find each other there');
  if (cluster.tls === undefined) yield errorAt(['cluster', 'listen'], 'needs the key "tls"');
  const listen = readListenAddress(cluster.listen);
  if (listen.kind === 'fault') yield errorAt(['cluster', 'listen'], listen.fault);
  else if (listen.value.host === undefined && cluster.address === undefined) {
    yield errorAt(['cluster', 'listen'], 'needs the key "address": other nodes must know where to connect to');
  }
  if (cluster.address === undefined) return;
  const address = readServiceAddress(cluster.address);
  if (address.kind === 'fault') yield errorAt(['cluster', 'address'], address.fault);
}
