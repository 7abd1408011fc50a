/** Where the internal line of a node is: a socket of this machine, in a folder that nobody else may enter, or TLS to any machine. */
export type NodeAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'https'; readonly host: string; readonly port: number };

/** What both ends of the internal line show, and ask of each other. */
export interface ClusterTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Of the authority that signs for the nodes of the cluster alone. */
  readonly ca: Buffer;
  /** The DNS name that the certificates of all its nodes have. */
  readonly name: string;
}
