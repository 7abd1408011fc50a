const words: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EADDRINUSE: 'Address already in use',
  EADDRNOTAVAIL: 'Cannot assign requested address',
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection reset by peer',
  EHOSTUNREACH: 'No route to host',
  EISDIR: 'Is a directory',
  ENETUNREACH: 'Network is unreachable',
  ENOENT: 'No such file or directory',
  ENOTDIR: 'Not a directory',
  EROFS: 'Read-only file system',
  ETIMEDOUT: 'Connection timed out',
};

export function systemErrorWords(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return words[code] ?? message;
}

const wordsOfLookup: Readonly<Record<string, string>> = {
  EAI_ADDRFAMILY: 'Address family for hostname not supported',
  EAI_AGAIN: 'Temporary failure in name resolution',
  ENOTFOUND: 'Name or service not known',
};

export function lookupWords(code: string): string {
  return wordsOfLookup[code] ?? code;
}
