/** What connects the controls that have a tooltip with the one place where tooltips appear. */
import { Tooltip } from '@base-ui/react/tooltip';

export const tooltipHandle = Tooltip.createHandle<string>();
