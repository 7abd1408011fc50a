const HIDDEN = '***';

/** A setting as a script may see it: without the password that it holds. */
export function shownSetting(name: string, value: string): string {
  switch (name.toLowerCase()) {
    case 'keypasswd':
      return value === '' || value.startsWith('file:') ? value : HIDDEN;
    case 'proxy':
      return value.replace(/^([^:]*:[^:]*):.*@/s, `$1:${HIDDEN}@`);
    default:
      return value;
  }
}

/** The command line as a script may see it. */
export function shownCommandLine(words: readonly string[]): string {
  return words
    .map((word, at) => {
      const option = words[at - 1]?.toLowerCase() ?? '';
      if (option !== '-set' && option !== '-xrm') return shownSetting(option.replace(/^-/, ''), word);
      const [, before = '', name = '', between = '', value = ''] =
        /^(.*?)(keypasswd|proxy)(\s*[=:]\s*)(.*)$/is.exec(word) ?? [];
      return name === '' ? word : `${before}${name}${between}${shownSetting(name, value)}`;
    })
    .join(' ');
}
