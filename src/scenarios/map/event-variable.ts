/** The table variable that collects the names of the events chosen by MAP$ EVENTUAL-AREA. Source: reference/4.3. */
export const EVENT_VARIABLE = '$EVENT$';
