/**
 * Who the screen talks to. `none`: nobody yet; `unbound`: a host without an application; `services`: the host's own services
 * (SSCP-LU); `line`: a host of line terminals (NVT).
 */
export type ScreenPartner = 'none' | 'unbound' | 'application' | 'services' | 'line';
