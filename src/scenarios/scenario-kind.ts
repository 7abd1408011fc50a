/** When a scenario runs (reference 4.1). */
export const scenarioKinds = ['IDENTIFICATION', 'INITIAL', 'INPUT', 'OUTPUT', 'FINAL', 'SUBROUTINE'] as const;
export type ScenarioKind = (typeof scenarioKinds)[number];
/** The kinds that something outside of the module starts. */
export type StartedKind = Exclude<ScenarioKind, 'SUBROUTINE'>;
