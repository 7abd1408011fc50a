import { keyEscapeAt, type TagFamily, withListAndString } from '../template-builder.js';

/** Order of the tuple of a crypt name (reference 2.9). */
const encryptionFields = ['NAME', 'ALGORITHM', 'INITIAL-ALGORITHM', 'DRIVER', 'FORMAT', 'CHAINING', 'PADDING'];

/** Specification 2.5. An unknown crypt name inserts nothing and causes no error. */
export const cryptoTags: TagFamily = {
  'PUBLIC-KEY': withListAndString((builder, tag) => {
    const [part, ...others] = tag.parameters ?? [];
    const cryptName = tag.strings[0] ?? '';
    if ((part !== 'EXPONENT' && part !== 'MODULUS') || others.length > 0)
      return builder.report(tag.offset, `${tag.name} takes (EXPONENT) or (MODULUS)`);
    if (!builder.uses.publicKeys.includes(cryptName)) builder.uses.publicKeys.push(cryptName);
    builder.insertKey((context) => context.publicKey(part, cryptName));
  }),
  // the field is written (NAME) "crypt" or, as in the reference, "(NAME)" "crypt"
  'ENCRYPTION-PARAMETERS': {
    parameters: 'optional',
    string: 'required',
    mostStrings: 2,
    compile: (builder, tag) => {
      const quotedField = tag.strings.length === 2 ? /^\((.*)\)$/.exec(tag.strings[0] ?? '')?.[1]?.trim() : undefined;
      const hasField = tag.parameters !== undefined || tag.strings.length === 2;
      const field = encryptionFields.indexOf(quotedField ?? tag.parameters?.join(',') ?? '');
      const cryptName = tag.strings.at(-1) ?? '';
      if (hasField && (field < 0 || (tag.parameters !== undefined && tag.strings.length === 2)))
        return builder.report(tag.offset, `${tag.name} takes no field or one of ${encryptionFields.join(', ')}`);
      if (!builder.uses.encryptionParameters.includes(cryptName)) builder.uses.encryptionParameters.push(cryptName);
      const escapeKey = keyEscapeAt(builder);
      builder.insert((context) => {
        const tuple = context.encryptionParameters(cryptName)?.map(escapeKey);
        return hasField ? tuple?.[field] : tuple?.map((value) => `'${value}'`).join(',');
      });
    },
  },
};
