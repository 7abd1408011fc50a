import { earlyColours } from '../early-colours.js';

// prevents a first paint in other colours
for (const [name, colour] of earlyColours()) document.documentElement.style.setProperty(name, colour);
