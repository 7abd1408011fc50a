import type { PortalOutcome } from './portal-route.js';

interface Confirmation {
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
  /** False: what is there now can be had again. */
  readonly destroys?: boolean;
}

/** The page that stands before what cannot simply be taken back. */
export function confirmation({
  title,
  facts,
  action,
  button,
  back,
  seen,
  destroys = true,
}: Confirmation): PortalOutcome {
  return {
    kind: 'page',
    page: 'CONFIRMATION.HTML',
    variables: {
      $TITLE$: [title],
      $FACT$: facts,
      $ACTION$: [action],
      $BUTTON$: button === undefined ? undefined : [button],
      '$BUTTON-CLASS$': [destroys ? 'danger' : 'primary'],
      $BACK$: [back],
      $SEEN$: seen === undefined ? undefined : [seen],
    },
  };
}
