// The examples that do something with each event, and the form of the onboarding.
import './migration';
import './tell';
import './signedFiles';
import './onboardingForm';
