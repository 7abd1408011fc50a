/** Code pages listed for scripts: name, bytes of a character, and aliases. */
const listed: ReadonlyArray<readonly [name: string, kind: 'sbcs' | 'dbcs', ...others: string[]]> = [
  ['cp037', 'sbcs', 'cp37', 'us', 'us-intl'],
  ['cp273', 'sbcs', 'german'],
  ['cp275', 'sbcs', 'brazilian'],
  ['cp277', 'sbcs', 'norwegian'],
  ['cp278', 'sbcs', 'finnish', 'swedish'],
  ['cp280', 'sbcs', 'italian'],
  ['cp284', 'sbcs', 'spanish'],
  ['cp285', 'sbcs', 'uk'],
  ['cp297', 'sbcs', 'french'],
  ['cp424', 'sbcs', 'hebrew'],
  ['cp500', 'sbcs', 'belgian'],
  ['cp803', 'sbcs', 'hebrew-old'],
  ['cp870', 'sbcs', 'polish', 'slovenian'],
  ['cp871', 'sbcs', 'icelandic'],
  ['cp875', 'sbcs', 'greek'],
  ['cp880', 'sbcs', 'russian'],
  ['cp930', 'dbcs', 'japanese-kana'],
  ['cp935', 'dbcs', 'simplified-chinese'],
  ['cp937', 'dbcs', 'traditional-chinese'],
  ['cp939', 'dbcs', 'japanese-latin'],
  ['cp1026', 'sbcs', 'turkish'],
  ['cp1047', 'sbcs'],
  ['cp1140', 'sbcs', 'us-euro'],
  ['cp1141', 'sbcs', 'german-euro'],
  ['cp1142', 'sbcs', 'norwegian-euro'],
  ['cp1143', 'sbcs', 'finnish-euro', 'swedish-euro'],
  ['cp1144', 'sbcs', 'italian-euro'],
  ['cp1145', 'sbcs', 'spanish-euro'],
  ['cp1146', 'sbcs', 'uk-euro'],
  ['cp1147', 'sbcs', 'french-euro'],
  ['cp1148', 'sbcs', 'belgian-euro'],
  ['cp1149', 'sbcs', 'icelandic-euro'],
  ['cp1160', 'sbcs', 'thai'],
  ['cp1388', 'dbcs', 'chinese-gb18030'],
  ['bracket', 'sbcs', 'oldibm', 'bracket437'],
];

/** Output of `Query(CodePages)` and `-v`. */
export const codePageLines: readonly string[] = listed.map((words) => words.join(' '));

/** Main name of a code page given by any of its names; unlisted names are returned unchanged. */
export function listedCodePageName(name: string): string {
  const folded = name.toLowerCase().replace(/^\d+$/, (digits) => `cp${digits.padStart(3, '0')}`);
  return listed.find(([first, , ...others]) => first === folded || others.includes(folded))?.[0] ?? name;
}
