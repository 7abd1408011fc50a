import type { PortalReply } from './portal-route.js';

export interface Confirmation {
  readonly title: string;
  /** What is destroyed, and what is not. */
  readonly facts: readonly string[];
  /** Address that the form is sent to. */
  readonly action: string;
  /** Undefined: it cannot be done, as the facts say. */
  readonly button: string | undefined;
  readonly back: string;
  /** Tag of what the page speaks of. */
  readonly seen?: string;
}

/** The page that stands before everything that destroys something. */
export function confirmation({ title, facts, action, button, back, seen }: Confirmation): PortalReply {
  return {
    kind: 'page',
    page: 'CONFIRMATION.HTML',
    variables: {
      $TITLE$: [title],
      $FACT$: facts,
      $ACTION$: [action],
      $BUTTON$: button === undefined ? undefined : [button],
      $BACK$: [back],
      $SEEN$: seen === undefined ? undefined : [seen],
    },
  };
}
