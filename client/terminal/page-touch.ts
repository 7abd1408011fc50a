/** Nobody has done anything in the page yet, as far as the browser tells. */
export function isUntouched(): boolean {
  // Firefox before 120 and Safari before 16.4 have none
  const activation: UserActivation | undefined = navigator.userActivation;
  return activation?.hasBeenActive === false;
}
