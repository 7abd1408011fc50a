import { earlyColours } from '../early-colours.js';

// a page whose user has colours of his own is never painted in others
for (const [name, colour] of earlyColours()) document.documentElement.style.setProperty(name, colour);
