// The examples that keep what they know in a data table of n8n.
import './thousands';
import './thousandsRows';
import './remind';
