const words: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EADDRINUSE: 'Address already in use',
  EADDRNOTAVAIL: 'Cannot assign requested address',
  ECONNREFUSED: 'Connection refused',
  EISDIR: 'Is a directory',
  ENOENT: 'No such file or directory',
};

/** What has failed, in the words that the C library has for it. */
export function systemErrorWords(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return words[code] ?? message;
}
