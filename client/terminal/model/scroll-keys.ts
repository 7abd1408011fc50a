import type { HotspotLabel } from './hotspot-labels.js';

/** Keys for paging; undefined if the host does not offer them. */
interface ScrollKeys {
  readonly back: string | undefined;
  readonly forward: string | undefined;
}

/** These PF numbers may have other functions, so the label must say that they scroll. */
const backWords = /^(?:back|bkwd|bwd|up|prev|page ?up|pgup|zurück|rück|vorh|auf|haut|préc|retour)/i;
const forwardWords = /^(?:forw|fwd|down|next|page ?d|pgdn|vor|weiter|näch|ab|bas|suiv|avan)/i;

export function scrollKeys(labels: readonly HotspotLabel[]): ScrollKeys {
  const keyOf = (numbers: readonly string[], what: RegExp) => {
    const found = labels.find(
      (label) => label.kind === 'key' && numbers.includes(label.key) && (label.words === '' || what.test(label.words)),
    );
    return found?.kind === 'key' ? found.key : undefined;
  };
  return { back: keyOf(['PF07', 'PF19'], backWords), forward: keyOf(['PF08', 'PF20'], forwardWords) };
}
