/** Limits on an expression, before and after it is parsed, and on what one evaluation may handle. */

/** Bytes of the text, in UTF-8. */
export const maxTextBytes = 8192;
/** Brackets inside brackets, before parsing: deeper ones would exhaust the stack of the parser. */
export const maxBracketDepth = 64;
/** Nodes of the parsed tree. */
export const maxNodes = 4000;
/** Operators inside operators, a chain of && or || counted once: what evaluates it recurses this deep. */
export const maxDepth = 400;
/** Comprehensions inside comprehensions: all(), exists(), exists_one(), map(), filter(). */
export const maxNesting = 2;
/** Nodes that an evaluation may visit at most, as far as that can be said beforehand. */
export const maxCost = 1_000_000;
/** Size that the cost takes for a range where the expression writes none, and most items of a list. */
export const maxListItems = 10_000;
/** Bytes of a text that an evaluation makes, in UTF-8. */
export const maxStringBytes = 65_536;
/** Most one evaluation may handle: characters read by functions of text, and items visited. It ends in an error then. */
export const maxWork = 20_000_000;
/** People times cost, where the database cannot answer and each person is evaluated in turn. */
export const maxCostOfPeople = 20_000_000;
/** Most loads of data that functions ask for, for functions whose arguments come from other functions. */
export const maxRounds = 8;
/** Most errors reported in one text. */
export const maxErrors = 20;
