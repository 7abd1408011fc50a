import { overview } from './overview.js';
import type { PortalRoute } from './portal-route.js';

/** All there is at a portal line but `/SECURE/`, `/signoff` and files. */
export const portalRoutes: readonly PortalRoute[] = [{ method: 'GET', path: '/', role: 'operator', answer: overview }];
