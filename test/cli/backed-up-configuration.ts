/** All that is kept is in the folder state. */
export const BACKED_UP_CONFIGURATION = `data: ./state
security: { database: ./state/security.yaml }
macros: ./state/macros
directories: { CLI: . }
lines:
  A-HTTP: { listen: 127.0.0.1:0, entryPoint: E }
entryPoints: { E: { directory: CLI } }
`;
