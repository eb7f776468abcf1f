/** How large an expression may be, before and after it is parsed, and how much one evaluation may handle. */

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
/** What a range counts for in the cost where its size is not written in the expression, and how many items a list may have. */
export const maxListItems = 10_000;
/** Bytes of a text that an evaluation makes, in UTF-8. */
export const maxStringBytes = 65_536;
/** What one evaluation may handle: characters read by functions of text, and items visited. It ends in an error then. */
export const maxWork = 20_000_000;
/** People times cost, where the database cannot answer and each person is evaluated in turn. */
export const maxCostOfPeople = 20_000_000;
/** How often data that functions ask for is loaded, for functions whose arguments come from other functions. */
export const maxRounds = 8;
/** What is wrong with one text is reported up to this many times. */
export const maxErrors = 20;
