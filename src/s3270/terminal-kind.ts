import type { CodePage } from '../tn3270/codepage/code-page.js';
import type { TerminalModel } from '../tn3270/screen/screen-size.js';

/** What a terminal shows and asks for; it is another one only while there is no host. */
export interface TerminalKind {
  /** Of the model, whatever its size is: `IBM-3279-4-E`. */
  readonly name: string;
  readonly model: TerminalModel;
  /** 2 to 5. */
  readonly modelNumber: number;
  readonly codePage: CodePage;
  /** As it was asked for: `bracket`, `cp037`. */
  readonly codePageName: string;
}
