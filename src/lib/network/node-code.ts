/** Of a node of a cluster, or of a worker of one: 1 to 8 lower-case letters and digits. */
const NODE_CODE = /^[a-z0-9]{1,8}$/;
const PREFIX = 'w2h';
const PREFIX_OF_NODE = /^w2h-([a-z0-9]{1,8})$/i;

export function isNodeCode(text: string): boolean {
  return NODE_CODE.test(text);
}

/** Inserted by VIRPLEX-CODE, directly in front of a page name. @param node undefined: there is only one */
export function prefixCodeOf(node: string | undefined): string {
  return node === undefined ? `${PREFIX}/` : `${PREFIX}-${node}/`;
}

/** The node that a directory of a path names; undefined: it names none. */
export function nodeOfPrefix(directory: string): string | undefined {
  return PREFIX_OF_NODE.exec(directory)?.[1]?.toLowerCase();
}

/** The directories of a path as there is only one node: `w2h-<node>` is `w2h`. */
export function withoutNode(directories: readonly string[]): readonly string[] {
  const [first = '', ...others] = directories;
  return nodeOfPrefix(first) === undefined ? directories : [PREFIX, ...others];
}
