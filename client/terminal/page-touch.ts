/** True if the browser reports no user gesture in the page. */
export function isUntouched(): boolean {
  // missing in Firefox before 120 and Safari before 16.4
  const activation: UserActivation | undefined = navigator.userActivation;
  return activation?.hasBeenActive === false;
}
