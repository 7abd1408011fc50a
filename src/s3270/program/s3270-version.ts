import { installedVersion } from '../../config/installation.js';

/** The version of s3270 whose answers ours are like: scripts ask for a least one. */
export const LIKE_VERSION = '4.6ga1';

export function s3270Version(): string {
  return `s3270 v${LIKE_VERSION} (Sallyport ${installedVersion()})`;
}
