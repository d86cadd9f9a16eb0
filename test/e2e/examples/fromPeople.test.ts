// The examples that people and other programs start, and the one that tells of failures.
import './bulk';
import './googleSheets';
import './requests';
import './approval';
import './hire';
