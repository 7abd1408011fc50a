export interface TerminalElements {
  readonly screen: HTMLElement;
  readonly information: HTMLElement;
  readonly notices: HTMLElement;
  readonly announcements: HTMLElement;
  readonly alert: HTMLElement;
}
