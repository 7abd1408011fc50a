import type { Measures } from '../../lib/measures.js';

/** Tells everything on, and of each request that was answered somebody else, too. */
export function withRequestsCounted(measures: Measures, count: () => void): Measures {
  return {
    ofHost: (...told) => measures.ofHost(...told),
    requestAnswered: (...told) => {
      count();
      measures.requestAnswered(...told);
    },
    screenUpdated: (...told) => measures.screenUpdated(...told),
    scenarioEnded: (...told) => measures.scenarioEnded(...told),
    scenarioTruncated: (...told) => measures.scenarioTruncated(...told),
    outboundEnded: (...told) => measures.outboundEnded(...told),
    signOnEnded: (...told) => measures.signOnEnded(...told),
    macrosUploaded: (...told) => measures.macrosUploaded(...told),
    serviceCalled: (...told) => measures.serviceCalled(...told),
    poolWaited: (...told) => measures.poolWaited(...told),
    keyWaited: (...told) => measures.keyWaited(...told),
    documentPrinted: (...told) => measures.documentPrinted(...told),
    internalLineRefused: (...told) => measures.internalLineRefused(...told),
  };
}
