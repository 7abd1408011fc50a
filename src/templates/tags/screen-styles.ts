import type { Rendering, Segment, TemplateNode } from '../rendering.js';
import type { ScreenPage, StyleRule } from '../screen-page.js';
import type { Tag, TagFamily } from '../template-builder.js';

const fieldWords: ReadonlySet<string> = new Set([
  'PROTECTED',
  'UNPROTECTED',
  'NON-DISPLAY',
  'DISPLAY',
  'NUMERIC',
  'ALPHANUMERIC',
  'MDTON',
  'DETECTABLE',
  'INTENSIFIED',
  'BRIGHT',
  'NORMAL',
]);
const highlightings = ['NOHILIGHT', 'BLINK', 'REVERSE', 'UNDERSCORE'];
const colours = ['NOCOLOR', 'BLUE', 'RED', 'PINK', 'GREEN', 'YELLOW', 'TURQUOISE', 'WHITE'];
const extendedWords: ReadonlySet<string> = new Set([...highlightings, ...colours]);

type Rule = StyleRule<readonly Segment[]>;
type Page = ScreenPage<readonly Segment[]>;

class Style implements TemplateNode {
  constructor(
    readonly rule: Rule,
    readonly rulesOf: (page: Page) => Set<Rule>,
  ) {}

  render(rendering: Rendering): void {
    this.rulesOf(rendering.page).add(this.rule);
  }
}

/**
 * Reference 2.4: in effect from their position on. Rules apply from last to first before a field and from first to last
 * after it, so that their markup nests.
 */
export const screenStyleTags: TagFamily = {
  'ON-ATTRIBUTE': styleTag((page) => page.before, true, 'WITH-NO-MATCH-BELOW'),
  'ON-END-OF-ATTRIBUTE': styleTag((page) => page.after, true, 'WITH-NO-MATCH-BELOW'),
  'ON-CHARACTER-ATTRIBUTE': styleTag((page) => page.beforeCharacters, false, 'WITH-NO-MATCH-BELOW'),
  'ON-END-OF-CHARACTER-ATTRIBUTE': styleTag((page) => page.afterCharacters, false, 'WITH-NO-MATCH-BELOW'),
  'ADD-TO-FIELDS': { ...styleTag((page) => page.inputs, true, 'WITH-NO-MATCH-ABOVE'), parameters: 'optional' },
};

function styleTag(rulesOf: (page: Page) => Set<Rule>, isOfFields: boolean, noMatchWord: string): Tag {
  return {
    parameters: 'required',
    string: 'none',
    holdsText: true,
    compile: (builder, tag) => {
      const parameters = tag.parameters ?? [];
      const words = parameters.filter((word) => word !== noMatchWord);
      const unknown = words.find((word) => !extendedWords.has(word) && !(isOfFields && fieldWords.has(word)));
      if (unknown !== undefined) {
        const known = [...(isOfFields ? fieldWords : []), ...extendedWords];
        builder.report(tag.offset, `${tag.name}: ${unknown} is not one of ${known.join(', ')}`);
      }
      const onlyAlone = words.length < parameters.length;
      builder.openText(tag, (body) => new Style({ words, onlyAlone, body }, rulesOf));
    },
  };
}
